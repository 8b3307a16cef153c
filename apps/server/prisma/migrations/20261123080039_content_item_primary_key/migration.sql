ALTER TABLE "content_item" DROP CONSTRAINT "content_item_pkey",
ADD CONSTRAINT "content_item_pkey" PRIMARY KEY USING INDEX "content_item_new_pkey";
